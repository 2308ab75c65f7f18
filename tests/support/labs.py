"""Driving a lab on the page as a reader does."""

import re


def open_lab(page, server, address="#attention"):
    """The page with its first live result painted."""
    page.goto(server + address)
    page.evaluate("() => window.seeformer.ready")
    return page


def settled(page, lab="attention"):
    """Waits until the lab rests; returns its state."""
    page.wait_for_function(
        "(lab) => ['ready', 'error'].includes(document.querySelector(`[data-lab=${lab}]`).dataset.state)", arg=lab
    )
    return page.locator(f"[data-lab={lab}]").get_attribute("data-state")


def restore_defaults(page, lab="attention"):
    page.get_by_role("button", name="恢复默认").click()
    return settled(page, lab)


def set_field(page, name, value, lab="attention"):
    """Types into a control's field, or ticks, or chooses; then waits for the lab."""
    field = page.locator(f"#{lab}-{name}")
    if field.get_attribute("type") == "checkbox":
        field.set_checked(value)
    elif field.evaluate("field => field.tagName") == "SELECT":
        field.select_option(value)
    else:
        field.fill(str(value))
    return settled(page, lab)


def pixels(page, name, index=None):
    """What a heatmap shows, as a data URL: equal pictures are equal texts."""
    where = f"canvas[data-heatmap={name}]" + ("" if index is None else f"[data-index='{index}']")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.locator(where).evaluate("canvas => canvas.toDataURL()")


def numbers(text):
    """Every number of a reading, the page's minus signs and powers of ten read back."""
    plain = text.replace("−", "-").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    return [float(number.replace("×10", "e")) for number in re.findall(r"-?\d+(?:\.\d+)?(?:×10-?\d+)?", plain)]

"""What a test asks the page's Python through window.seeformer."""


def run(page, code: str) -> dict:
    """Runs a cell through the API; typed arrays in its outputs become lists."""
    return page.evaluate(
        """async (code) => {
          const { outputs, ...answer } = await seeformer.run(code);
          return { ...answer, outputs: outputs.map((output) => (output.data ? { ...output, data: [...output.data] } : output)) };
        }""",
        code,
    )


def rejection(page, expression: str) -> dict:
    """What the promise of a JavaScript expression rejects with; fails if it does not."""
    return page.evaluate(
        f"""async () => {{
          try {{ await ({expression}); }} catch (error) {{ return {{ ...error, message: error.message, isError: error instanceof Error }}; }}
          throw new Error("it did not reject");
        }}"""
    )

"""What build.py does, a module a step. Standard library only; not part of the seeformer wheel."""

"""``python -m controller`` is ``pointsman``."""

from controller.cli import main

if __name__ == "__main__":
    main()

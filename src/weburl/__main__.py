"""python -m weburl"""

import sys

from weburl.cli import main

if __name__ == "__main__":
    sys.exit(main())

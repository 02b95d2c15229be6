from .backend import Backend as Backend
from .backend import balanced_chunks as balanced_chunks
from .backend import run_with_retry as run_with_retry
from .processes import MAX_WORKERS as MAX_WORKERS
from .processes import JobSlots as JobSlots
from .processes import ProcessBackend as ProcessBackend
from .processes import open_backend as open_backend
from .threads import ThreadBackend as ThreadBackend

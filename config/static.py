"""Static files with a content hash in their names, so that browsers may keep them for ever."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticStorage(CompressedManifestStaticFilesStorage):
    """Whitenoise's manifest storage, with ES module imports rewritten to the hashed names too."""

    support_js_module_import_aggregation = True
    manifest_strict = True

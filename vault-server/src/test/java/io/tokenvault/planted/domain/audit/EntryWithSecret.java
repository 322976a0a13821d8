package io.tokenvault.planted.domain.audit;

import io.tokenvault.domain.secret.SensitiveValue;

/** Breaks: the log holds no secret. */
record EntryWithSecret(SensitiveValue value) {}

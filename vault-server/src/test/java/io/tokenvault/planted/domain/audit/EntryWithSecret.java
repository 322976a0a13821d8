package io.tokenvault.planted.domain.audit;

import io.tokenvault.domain.secret.SensitiveValue;

/** Violates: the log contains no secret. */
record EntryWithSecret(SensitiveValue value) {}

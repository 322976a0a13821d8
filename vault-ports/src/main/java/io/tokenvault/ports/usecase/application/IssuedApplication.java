package io.tokenvault.ports.usecase.application;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.secret.ApiKey;

/** An application with the key that was just made for it, which is shown this once. */
public record IssuedApplication(Application application, ApiKey key) {}

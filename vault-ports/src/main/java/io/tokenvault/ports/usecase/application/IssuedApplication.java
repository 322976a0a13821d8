package io.tokenvault.ports.usecase.application;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.secret.ApiKey;

/** An application with its newly generated API key, which is shown only once. */
public record IssuedApplication(Application application, ApiKey key) {}

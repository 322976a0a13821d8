/**
 * Authentication and authorization of callers. Start with {@code Authenticator}, which turns an API
 * key into a {@code Caller}, and {@code TokenDecisions}. {@code AuditTrail} records every
 * permission that is denied; an id that is not found is reported without a record. {@code
 * OptimisticExecutor} repeats a decision that was made on outdated data.
 */
package io.tokenvault.ports.usecase.authorization;

/**
 * Authentication and authorization of callers. Start with {@code Authenticator}, which turns an API
 * key into a {@code Caller}, and {@code TokenDecisions}. Every refusal is recorded by {@code
 * AuditTrail}; a decision made on outdated data is repeated by {@code OptimisticExecutor}.
 */
package io.tokenvault.ports.usecase.authorization;

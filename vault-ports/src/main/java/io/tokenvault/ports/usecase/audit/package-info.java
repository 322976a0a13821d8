/**
 * Reading, exporting, verifying and chaining the audit log. Start with {@code ReadLogs} for the API
 * and {@code VerifyLog} for tamper detection. Every read of the log is recorded in it.
 */
package io.tokenvault.ports.usecase.audit;

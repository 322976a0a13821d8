/**
 * Isolation of worker processes by the operating system. Start with {@code WorkerIsolation}, which
 * finds the strongest {@code IsolationLevel} that works on this machine by trying: a level is used
 * only if a process that is isolated by it cannot do what it must not.
 */
package io.tokenvault.engine.transform.isolation;

/**
 * Isolation of worker processes by the operating system. Start with {@code WorkerIsolation}, which
 * finds the strongest {@code IsolationLevel} that works on this machine by trying: a level is used
 * only if a process at this level has verified that its restrictions are in force.
 */
package io.tokenvault.engine.transform.isolation;

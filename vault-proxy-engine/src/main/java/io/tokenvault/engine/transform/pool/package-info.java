/**
 * Pool of worker processes. Start with {@code WorkerPool}. A worker serves one tenant until it
 * ends; {@code WorkerIsolation} decides how strongly the operating system confines it.
 */
package io.tokenvault.engine.transform.pool;

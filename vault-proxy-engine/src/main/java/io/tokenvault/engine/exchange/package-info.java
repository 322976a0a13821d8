/**
 * State of an invocation: its route, target, headers and body. Start with {@code Exchange}, which
 * the steps fill in as they run and whose body can be taken once. The code that takes a body closes
 * it and releases its memory.
 */
package io.tokenvault.engine.exchange;

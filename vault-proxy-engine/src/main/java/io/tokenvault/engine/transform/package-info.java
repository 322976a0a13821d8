/**
 * Transforms on the server's side: what a script is given, what it may ask for, and what a failure
 * means for the caller. Start with {@code Transforms}. Scripts run in worker processes only; their
 * requests go through the same egress checks as the proxy's.
 */
package io.tokenvault.engine.transform;

/**
 * Server side of transforms: the data that a script receives, the calls that it may make, and the
 * errors that a caller receives when it fails. Start with {@code Transforms}. Scripts run in worker
 * processes only; their requests pass the same egress checks as the proxy's.
 */
package io.tokenvault.engine.transform;

/**
 * What the server and a transform worker, another process, say to each other. Needs nothing but the
 * JDK, since a worker has little else.
 */
package io.tokenvault.engine.wire;

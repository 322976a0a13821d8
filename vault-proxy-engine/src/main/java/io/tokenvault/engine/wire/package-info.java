/**
 * Protocol between the server and a worker process. Start with {@code ToWorker} and {@code
 * FromWorker}. Needs the JDK only, since a worker has few other classes.
 */
package io.tokenvault.engine.wire;

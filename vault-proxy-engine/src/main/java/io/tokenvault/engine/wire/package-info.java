/**
 * The protocol between the server and a worker process. Start with {@code ToWorker} and {@code
 * FromWorker}. Needs the JDK only, since a worker has little else.
 */
package io.tokenvault.engine.wire;

/**
 * The worker process, which compiles and runs transforms. Start with {@code WorkerMain}. It uses
 * the JDK, {@code engine.wire} and Rhino, and its only connection is a pipe to the server.
 */
package io.tokenvault.engine.worker;

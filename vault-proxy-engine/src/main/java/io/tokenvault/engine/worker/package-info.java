/**
 * The worker process, which compiles and runs transforms. Start with {@code WorkerMain}. It uses
 * the JDK, {@code engine.wire} and Rhino, and has nothing but a pipe.
 */
package io.tokenvault.engine.worker;

/**
 * A transform worker: the process that compiles and runs scripts. Nothing of it runs in the server.
 * It uses the JDK, {@code engine.wire} and Rhino, and is given nothing but a pipe.
 */
package io.tokenvault.engine.worker;

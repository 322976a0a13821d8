/** Programs, ports, databases, and the size of the test run. */
package io.tokenvault.server.environment;

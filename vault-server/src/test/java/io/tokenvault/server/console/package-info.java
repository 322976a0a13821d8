/** Whether the console's files in the resources are what its sources make. */
package io.tokenvault.server.console;

/** Commands about applications. */
package io.tokenvault.server.cli.application;

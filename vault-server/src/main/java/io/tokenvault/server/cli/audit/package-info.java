/**
 * Commands on the audit log: export, dump, verify and dropping old months. {@code LogCopy} is the
 * common part of the commands that copy it.
 */
package io.tokenvault.server.cli.audit;

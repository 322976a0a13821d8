/** Commands about the audit log: export, dump, verify and dropping old months. */
package io.tokenvault.server.cli.audit;

/** Injects faults of database connections and disks. */
package io.tokenvault.server.faults;

/**
 * Clocks, disks, memory, databases and processes that fail under a load; nearly all with the tag
 * "long".
 */
package io.tokenvault.server.process.fault;

/**
 * Tests of failing clocks, disks, memory, databases, and processes under load; nearly all have the
 * tag "long".
 */
package io.tokenvault.server.process.fault;

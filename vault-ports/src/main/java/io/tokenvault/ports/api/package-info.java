/** Driving ports that are implemented outside this module. */
package io.tokenvault.ports.api;

/**
 * Driving ports that are implemented outside this module: the proxy engine and the in-process
 * client of transforms. Start with {@code InvokeProxy}.
 */
package io.tokenvault.ports.api;

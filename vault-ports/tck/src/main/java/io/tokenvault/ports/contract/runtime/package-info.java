/** Contract suites for leader election, rate limits, and JSON. */
package io.tokenvault.ports.contract.runtime;

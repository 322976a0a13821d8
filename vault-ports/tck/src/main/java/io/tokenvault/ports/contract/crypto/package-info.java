/** Contract suites for ciphers, hashers, and key wrappers. */
package io.tokenvault.ports.contract.crypto;

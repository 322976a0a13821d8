/**
 * The operator's modules: npm packages and files that transforms can require. {@link
 * io.tokenvault.engine.transform.module.ModuleFiles} resolves names as Node.js does, {@link
 * io.tokenvault.engine.transform.module.OperatorModules} compiles what is reached, once, and {@link
 * io.tokenvault.engine.transform.module.ModuleLibrary} follows the folder over time.
 */
package io.tokenvault.engine.transform.module;

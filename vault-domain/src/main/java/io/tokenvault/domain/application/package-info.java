/** Applications, the holders of API keys, and what makes one valid. */
package io.tokenvault.domain.application;

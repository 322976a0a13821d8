package io.tokenvault.ports.crypto;

import io.tokenvault.domain.audit.integrity.LogTag;

/** Signs checkpoints of the audit log, so that they can be verified without a secret. */
public interface CheckpointKeys {

  /** Returns a signature under the current key. */
  LogTag sign(byte[] content);

  /** Returns whether the signature is valid for this content under any known key. */
  boolean confirmsSignature(byte[] content, LogTag signature);
}

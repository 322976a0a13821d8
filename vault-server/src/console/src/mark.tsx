/** The sign of the vault. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <circle cx="16" cy="16" r="8.5" class="ring" />
      <circle cx="16" cy="14.2" r="2.6" class="hole" />
      <path d="M14.6 15.5h2.8l.9 5.4h-4.6z" class="hole" />
    </svg>
  );
}

# Builds a root for a worker, in a mount namespace that is already the worker's own, and runs the
# worker in it. Arguments: the folder of Java's libraries; the folders of that root without their
# first slash, one on each line; any number of `dir PATH`, `file PATH` and `link PATH TARGET`, then
# `--` and the command. Whatever fails ends it before the command.
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
root=/sys
libraries=$1
shift
echo 500 2>/dev/null >/proc/self/oom_score_adj || :
mount -n -t tmpfs -o mode=0755,nosuid,nodev,noexec,size=256k none "$root"
cd "$root"
# One process for all folders, since a process takes longer than a folder.
set -f
IFS='
'
mkdir -p -- $1
unset IFS
shift
while [ "$1" != -- ]; do
  case $1 in
    link)
      ln -s "$3" "$root$2"
      shift
      ;;
    *)
      [ "$1" = dir ] || : >"$root$2"
      mount -n --rbind "$2" "$root$2"
      mount -n -o remount,bind,ro,nosuid "$root$2"
      ;;
  esac
  shift 2
done
shift
# It is refused where /proc is partly hidden, as in containers. A worker runs without, and then sees
# even less, but the loader does not know where java is.
mount -n -t proc -o nosuid,nodev,noexec proc "$root/proc" 2>/dev/null \
  || export LD_LIBRARY_PATH="$libraries"
mount -n -o remount,bind,ro,nosuid,nodev,noexec "$root"
unset PWD OLDPWD
exec chroot "$root" "$@"

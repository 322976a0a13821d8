// Run by japicmp (pom.xml, profile "api-compatibility"), which does not look at sealed types: a new
// subtype breaks the exhaustive switches of users, so it counts like a new abstract method.
import japicmp.model.JApiCompatibilityChange
import japicmp.model.JApiCompatibilityChangeType

def permitted = { found ->
  def attribute = found.map { it.classFile.getAttribute('PermittedSubclasses') }.orElse(null)
  if (attribute == null) {
    return null
  }
  def bytes = new DataInputStream(new ByteArrayInputStream(attribute.get()))
  (0..<bytes.readUnsignedShort()).collect {
    attribute.constPool.getClassInfo(bytes.readUnsignedShort())
  } as Set
}

jApiClasses.each { type ->
  def before = permitted(type.oldClass)
  def now = permitted(type.newClass)
  if (before != null && now != null && !before.containsAll(now)) {
    type.compatibilityChanges.add(
        new JApiCompatibilityChange(JApiCompatibilityChangeType.METHOD_ABSTRACT_ADDED_TO_CLASS))
  }
}
return jApiClasses

package habemus.lab.source;

import java.io.IOException;
import java.util.Map;

/** Loads compiled classes before those of its parent that have the same name, and delegates all others. */
public final class SourceClassLoader extends ClassLoader {

    private final Map<String, byte[]> compiled;
    private final String reloaded;

    /**
     * @param reloaded the prefix of the class names that are loaded again because they share package-private members
     *     with the compiled classes; empty: none
     */
    public SourceClassLoader(Map<String, byte[]> compiled, String reloaded, ClassLoader parent) {
        super(parent);
        this.compiled = Map.copyOf(compiled);
        this.reloaded = reloaded;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            var known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            var bytes = compiled.get(name);
            if (bytes == null && !reloaded.isEmpty() && name.startsWith(reloaded)) {
                bytes = read(name);
            }
            return bytes == null ? super.loadClass(name, resolve) : defineClass(name, bytes, 0, bytes.length);
        }
    }

    private byte[] read(String name) throws ClassNotFoundException {
        try (var file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            return file.readAllBytes();
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }
}

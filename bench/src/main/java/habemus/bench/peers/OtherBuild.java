package habemus.bench.peers;

import java.nio.file.Files;
import java.nio.file.Path;

/** Another build of Habemus, named by its launcher, such as that of an earlier commit. */
public final class OtherBuild {

    private OtherBuild() {}

    /**
     * The root folder of the build.
     *
     * @throws IllegalStateException if it is not built
     */
    public static Path root(Path launcher) {
        var root = launcher.toAbsolutePath().getParent();
        if (root == null || !Files.isExecutable(launcher) || !Files.exists(jar(root))) {
            throw new IllegalStateException("no build of Habemus: " + launcher + "\nhint: run " + launcher
                    + " --version once, which builds it");
        }
        return root;
    }

    /** The jar with all of its classes. */
    public static Path jar(Path root) {
        return root.resolve("cli/target/habemus.jar");
    }
}

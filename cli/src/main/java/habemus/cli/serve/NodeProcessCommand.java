package habemus.cli.serve;

import habemus.harness.cluster.NodeCommandLine;
import habemus.harness.cluster.NodeSettings;
import habemus.lab.command.CommandException;
import habemus.lab.command.ShellSyntax;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Builds the commands that run this program once more, as a child process. */
public final class NodeProcessCommand implements NodeCommandLine {

    /** Hidden option of {@code serve}: runs benchmark clients inside the node. */
    static final String LOAD_OPTION = "--load";

    private static final String MAIN_CLASS = "habemus.cli.Main"; // a name: this package is below that of Main

    private final String classPath;
    private final boolean knowsBootstrap;
    private final List<String> options;

    /** A node with the default options. */
    public NodeProcessCommand() {
        this(List.of());
    }

    /** @param options further options of {@code serve} */
    public NodeProcessCommand(List<String> options) {
        this(System.getProperty("java.class.path"), true, options);
    }

    private NodeProcessCommand(String classPath, boolean knowsBootstrap, List<String> options) {
        this.classPath = classPath;
        this.knowsBootstrap = knowsBootstrap;
        this.options = options;
    }

    /**
     * A node of another build, such as that of an earlier commit.
     *
     * @param launcher of the build
     * @throws CommandException if it is not built
     */
    public static NodeProcessCommand ofBuild(Path launcher) {
        var jar = launcher.toAbsolutePath().resolveSibling("cli/target/habemus.jar");
        if (!Files.exists(jar)) {
            throw CommandException.usage(
                    "no build of Habemus: " + launcher, "run " + launcher + " --version once, which builds it");
        }
        var help = program(jar.toString());
        help.addAll(List.of("serve", "--help"));
        try (var lines = new ProcessBuilder(help).start().inputReader()) {
            boolean knowsBootstrap =
                    lines.lines().filter(line -> line.contains("--bootstrap")).count() > 0;
            return new NodeProcessCommand(jar.toString(), knowsBootstrap, List.of());
        } catch (IOException failed) {
            throw CommandException.failure("cannot run " + launcher + ": " + failed.getMessage(), "build it again");
        }
    }

    /** The program itself, to which the caller adds a command and its options. */
    public static List<String> program() {
        return program(System.getProperty("java.class.path"));
    }

    private static List<String> program(String classPath) {
        var arguments = new ArrayList<String>();
        arguments.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        arguments.addAll(
                List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:+ExitOnOutOfMemoryError"));
        var jvmOptions = System.getenv("HABEMUS_JAVA_OPTS");
        if (jvmOptions != null) {
            arguments.addAll(ShellSyntax.split(jvmOptions));
        }
        arguments.addAll(List.of("-cp", classPath, MAIN_CLASS));
        return arguments;
    }

    @Override
    public List<String> joinCommand(String node, String members, NodeSettings settings) {
        var arguments = new ArrayList<>(command(node, members, settings));
        arguments.add("--join");
        return arguments;
    }

    @Override
    public List<String> command(String node, String members, NodeSettings settings) {
        var arguments = program(classPath);
        arguments.addAll(List.of("serve", "--until-eof", "--node", node, "--cluster", members));
        arguments.addAll(options);
        if (knowsBootstrap
                && settings.lockAlgorithm().isEmpty()
                && settings.electionAlgorithm().isEmpty()) {
            arguments.add("--bootstrap");
        }
        settings.lockAlgorithm().ifPresent(algorithm -> arguments.addAll(List.of("--algorithm", algorithm)));
        settings.electionAlgorithm().ifPresent(algorithm -> arguments.addAll(List.of("--election", algorithm)));
        settings.detector().ifPresent(detector -> arguments.addAll(List.of("--detector", detector)));
        settings.startupWait().ifPresent(wait -> arguments.addAll(List.of("--startup-wait", wait.toMillis() + "ms")));
        settings.dataFolder()
                .ifPresent(folder ->
                        arguments.addAll(List.of("--data", folder.resolve(node).toString())));
        settings.traceFolder().ifPresent(folder -> arguments.addAll(List.of("--record", folder.toString())));
        if (settings.hasEmbeddedLoad()) {
            arguments.add(LOAD_OPTION);
        }
        if (settings.isVerbose()) {
            arguments.add("--verbose");
        }
        return arguments;
    }
}

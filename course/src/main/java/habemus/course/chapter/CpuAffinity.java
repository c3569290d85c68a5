package habemus.course.chapter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Java binds no thread to a processor; on Linux {@code taskset} binds a process to some of them. */
final class CpuAffinity implements Demonstration {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";

    /** The child process: it prints how many processors it may use, and which. */
    public static void main(String[] args) {
        System.out.println(Runtime.getRuntime().availableProcessors());
        System.out.println(allowedProcessors());
    }

    @Override
    public String name() {
        return "affinity";
    }

    @Override
    public String claim() {
        return "Java binds no thread to a processor; taskset binds a process.";
    }

    @Override
    public List<Observation> run() throws InterruptedException {
        var methods = Arrays.stream(Thread.class.getMethods())
                .filter(method -> method.getName().toLowerCase(Locale.ROOT).contains("affinity"))
                .count();
        return List.of(
                Observation.of(
                        "Thread has no method that binds it to a processor",
                        methods + " methods of Thread name an affinity",
                        methods == 0),
                taskset());
    }

    private static Observation taskset() throws InterruptedException {
        var claim = "a process bound to one processor sees one processor";
        if (!isInstalled("taskset") || !Files.isReadable(STATUS)) {
            return Observation.ifSeen(claim, "not shown: this machine has no taskset", false);
        }
        var all = allowedProcessors();
        var first = all.split("[,-]", 2)[0];
        var child = ChildJvm.runWith(List.of("taskset", "-c", first), CpuAffinity.class);
        return Observation.of(
                claim,
                "processors " + all + " here; the child sees " + child.lines().getFirst() + ", number "
                        + child.lines().getLast(),
                child.lines().equals(List.of("1", first)));
    }

    private static boolean isInstalled(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    private static String allowedProcessors() {
        try (var lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(ALLOWED))
                    .map(line -> line.substring(ALLOWED.length()).strip())
                    .findFirst()
                    .orElseThrow();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

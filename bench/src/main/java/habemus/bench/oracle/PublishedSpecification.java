package habemus.bench.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.world.Property;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The specification of Raft in TLA+ that its authors published, checked by TLC. It is not part of this repository.
 *
 * @param text the module {@code raft}
 * @param folder for the files of TLC
 */
record PublishedSpecification(String text, Path folder) {

    private static final Pattern DISTINCT = Pattern.compile("([0-9,]+) distinct states found");
    private static final Pattern CHECKED = Pattern.compile("(?:Progress: |states generated: )([0-9,]+)");
    private static final Pattern VIOLATED = Pattern.compile("Invariant (\\w+) is violated");
    private static final int RUN_LENGTH = 150; // steps of a random run
    private static final List<String> NAMES = List.of(
            "Follower",
            "Candidate",
            "Leader",
            "Nil",
            "RequestVoteRequest",
            "RequestVoteResponse",
            "AppendEntriesRequest",
            "AppendEntriesResponse");

    /**
     * What TLC found.
     *
     * @param states the distinct states so far; of random runs, all states; empty if TLC printed no number
     * @param isComplete whether TLC ended by itself
     * @param violated the violated property, or empty
     */
    record TlcVerdict(OptionalLong states, boolean isComplete, String violated) {}

    PublishedSpecification with(List<RaftDefect.SpecEdit> edits) {
        var changed = text;
        for (var edit : edits) {
            changed = edit.applyTo(changed);
        }
        return new PublishedSpecification(changed, folder);
    }

    /** Checks every run of a world. */
    TlcVerdict check(RaftWorld world, Duration timeLimit, Property... properties)
            throws IOException, InterruptedException {
        write(world, RaftDefect.RunPlan.ANY, properties);
        return verdict(run(timeLimit, List.of()), DISTINCT);
    }

    /** Draws random runs along a plan until one violates a property, or the time is over. */
    TlcVerdict search(RaftDefect.RunPlan plan, Duration timeLimit, Property... properties)
            throws IOException, InterruptedException {
        return simulate("-simulate", plan, timeLimit, properties);
    }

    /** Draws this many random runs along a plan. */
    TlcVerdict sample(int runs, RaftDefect.RunPlan plan, Duration timeLimit, Property... properties)
            throws IOException, InterruptedException {
        return simulate("-simulate num=" + runs, plan, timeLimit, properties);
    }

    private TlcVerdict simulate(String mode, RaftDefect.RunPlan plan, Duration timeLimit, Property... properties)
            throws IOException, InterruptedException {
        write(RaftWorld.of("", 1, 3).withTailLosses(plan.steps().contains("tail") ? 1 : 0), plan, properties);
        var options = mode + " -depth " + RUN_LENGTH + " -seed 1";
        return verdict(run(timeLimit, List.of(options.split(" "))), CHECKED);
    }

    private static TlcVerdict verdict(String output, Pattern states) {
        var violated = VIOLATED.matcher(output);
        if (!violated.find() && output.contains("Error:")) {
            throw new IllegalStateException("TLC failed:\n" + output);
        }
        var number = states.matcher(output);
        var last = OptionalLong.empty();
        while (number.find()) {
            last = OptionalLong.of(Long.parseLong(number.group(1).replace(",", "")));
        }
        return new TlcVerdict(
                last, output.contains("Finished in"), violated.reset().find() ? violated.group(1) : "");
    }

    private void write(RaftWorld world, RaftDefect.RunPlan plan, Property... properties) throws IOException {
        Files.writeString(folder.resolve("raft.tla"), text, UTF_8);
        try (var module = Objects.requireNonNull(
                PublishedSpecification.class.getResourceAsStream("RaftOracle.tla"), "RaftOracle.tla")) {
            Files.write(folder.resolve("RaftOracle.tla"), module.readAllBytes());
        }
        Files.writeString(folder.resolve("World.tla"), """
                ---- MODULE World ----
                EXTENDS RaftOracle
                CONSTANTS s1, s2, s3
                ThePlan == <<%s>>
                TheLinks == %s
                ====
                """.formatted(steps(plan), links(plan)), UTF_8);
        Files.writeString(folder.resolve("World.cfg"), configuration(world, plan, properties), UTF_8);
    }

    private static String configuration(RaftWorld world, RaftDefect.RunPlan plan, Property... properties) {
        var names = NAMES.stream().map(name -> name + " = " + name).collect(Collectors.joining("\n"));
        return """
                CONSTANTS
                Server = {s1, s2, s3}
                s1 = s1
                s2 = s2
                s3 = s3
                Value = {1, 2, 3}
                %s
                %s
                Plan <- ThePlan
                Links <- TheLinks
                SPECIFICATION OracleSpec
                VIEW OracleView
                INVARIANTS %s
                %s
                """.formatted(
                names,
                world.constants(),
                Arrays.stream(properties).map(PublishedSpecification::name).collect(Collectors.joining(" ")),
                plan.steps().isEmpty() ? "SYMMETRY Symmetric" : "");
    }

    /** Such as {@code LogMatching} for {@code log-matching}. */
    static String name(Property property) {
        return Arrays.stream(property.name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    private static String steps(RaftDefect.RunPlan plan) {
        return plan.steps().isEmpty()
                ? ""
                : Arrays.stream(plan.steps().split(", "))
                        .map(step -> step.split(" "))
                        .map(step -> "<<\"" + step[0] + "\", s" + step[1] + ">>")
                        .collect(Collectors.joining(", "));
    }

    private static String links(RaftDefect.RunPlan plan) {
        return plan.links().isEmpty()
                ? "Server \\X Server"
                : Arrays.stream(plan.links().split(", "))
                        .map(link -> link.split(" "))
                        .map(link -> "<<s" + link[0] + ", s" + link[1] + ">>")
                        .collect(Collectors.joining(", ", "{", "}"));
    }

    /** @return the output of TLC */
    private String run(Duration timeLimit, List<String> options) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseParallelGC",
                "-cp",
                System.getProperty("java.class.path"),
                "tlc2.TLC",
                "-workers",
                "1",
                "-deadlock",
                "-checkpoint",
                "0"));
        command.addAll(options);
        command.addAll(List.of("-metadir", folder.resolve("meta").toString(), "World.tla"));
        var output = folder.resolve("output.txt");
        var process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(timeLimit.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output, UTF_8);
    }
}

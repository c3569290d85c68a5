package habemus.log.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.mutation.Mutant;
import habemus.lab.mutation.MutantCompiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The service on a simulated etcd, under the monitors of the service, as written and with planted defects. */
@Tag("slow")
class EtcdSimulationTest {

    private static final long SEEDS = 32;
    private static final long SEEDS_FOR_A_DEFECT = 64;

    @Test
    void no_property_is_violated_and_every_situation_occurs() {
        var situations = new ConcurrentHashMap<SimulatedEtcd.Situation, LongAdder>();
        var violation = EtcdSimulation.firstViolation(SEEDS, SimulatedEtcd.factory(situations));
        assertThat(violation.map(run -> run.plan().seed() + " " + run.violated() + " " + run.detail()))
                .isEmpty();
        assertThat(situations).containsOnlyKeys(SimulatedEtcd.Situation.values());
    }

    static Stream<Mutant> defects() {
        return Mutant.of("log-on-etcd").stream();
    }

    /** By which property first, depends on the seeds, and so on all of the service. */
    @ParameterizedTest
    @MethodSource("defects")
    void a_planted_defect_is_found(Mutant defect) throws Exception {
        var program = MutantCompiler.loadProgram(defect, sources(defect));
        var method = program.loadClass(EtcdSimulation.class.getName()).getMethod("findViolation", long.class);
        assertThat((String) method.invoke(null, SEEDS_FOR_A_DEFECT))
                .as(defect.rationale())
                .isNotEmpty();
    }

    private static Map<String, String> sources(Mutant defect) throws IOException {
        var sources = new TreeMap<String, String>();
        for (var change : defect.changes()) {
            var name = "habemus.log.etcd." + change.file();
            var original = sources.containsKey(name)
                    ? sources.get(name)
                    : Files.readString(Path.of("src/main/java", name.replace('.', '/') + ".java"));
            sources.put(
                    name,
                    change.applyTo(original)
                            .orElseThrow(() -> new AssertionError(defect + " does not fit " + change.file())));
        }
        return sources;
    }
}

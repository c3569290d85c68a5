package habemus;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the folders promise: algorithms are pure, and a room knows only the rooms beneath it. */
@AnalyzeClasses(packages = "habemus", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String[] ALGORITHMS = {
        "habemus.mutex..", "habemus.election..", "habemus.detector..", "habemus.fenced.."
    };

    /** A room of core, and the others it may know. */
    private static final Map<String, List<String>> ALLOWED_DEPENDENCIES = Map.ofEntries(
            entry("protocol", List.of()),
            entry("mutex", List.of("protocol")),
            entry("election", List.of("protocol")),
            entry("detector", List.of("protocol")),
            entry("fenced", List.of("protocol")),
            entry("drive", List.of()),
            entry("catalogue", List.of("protocol", "mutex", "election", "detector", "fenced", "world")),
            entry("world", List.of("protocol")),
            entry("simulate", List.of("protocol", "world")),
            entry("check", List.of("protocol", "world", "simulate")),
            entry("measure", List.of("protocol", "world", "simulate", "catalogue", "mutex", "election")),
            entry("small", List.of("protocol", "world", "check", "catalogue")),
            entry("wire", List.of("protocol")),
            entry("archive", List.of("protocol", "wire", "fenced")));

    /** Values, and collections with an order: walking through them is the same in every run. */
    private static final String VALUE_TYPES = "java\\.time\\.Duration|java\\.util\\.function\\..*"
            + "|java\\.util\\.(Optional(Int|Long)?|Objects|Comparator|Iterator|NoSuchElementException)"
            + "|java\\.util\\.(Arrays|Collections?|(Array)?(List|Deque)|Map\\$Entry|Sequenced(Collection|Set|Map))"
            + "|java\\.util\\.(Sorted|Navigable|Tree)(Set|Map)"
            + "|java\\.util\\.stream\\.(Int|Long)?Stream";

    private static final String IMPURE_TYPES = "java\\.lang\\.(System|Runtime|Process.*|Thread.*|.*ThreadLocal)"
            + "|java\\.time\\.(Clock|Instant)|java\\.util\\.(.*Random|UUID|(Linked)?Hash(Map|Set)|Map|Set)"
            + "|java\\.util\\.(concurrent|random)\\..*|java\\.util\\.stream\\.Collectors|java\\.n?io\\..*";

    @ArchTest
    static final ArchRule an_algorithm_knows_the_contract_and_values_only = classes()
            .that()
            .resideInAnyPackage(ALGORITHMS)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("java.lang", "org.jspecify.annotations", "habemus..")
                    .or(nameMatching(VALUE_TYPES)))
            .because("a step is a pure function: it cannot know what the contract does not hand in")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule no_clock_no_thread_no_dice_no_disk_and_nothing_without_order = noClasses()
            .that()
            .resideInAnyPackage(ALGORITHMS)
            .should()
            .dependOnClassesThat(nameMatching(IMPURE_TYPES))
            .orShould()
            .callMethod(Math.class, "random")
            .because("equal state and equal event give an equal step, in every world and in every JVM"
                    + " (walk through a sorted map by its sequencedEntrySet)")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule an_algorithm_has_no_memory_of_its_own = fields().that()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(ALGORITHMS)
            .and()
            .areDeclaredInClassesThat(
                    describe("outlive a step", type -> !type.getSimpleName().equals("Applying")))
            .should()
            .beFinal()
            .because("all that changes is in the state, which the worlds keep, copy and compare")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule states_and_messages_hold_no_arrays = fields().that()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(ALGORITHMS)
            .and()
            .areNotStatic()
            .should()
            .notHaveRawType(describe("an array", JavaClass::isArray))
            .because("an array equals only itself, and equal states must be one state to the checker")
            .allowEmptyShould(true);

    @ArchTest
    static void a_room_knows_only_the_rooms_beneath_it(JavaClasses core) {
        ALLOWED_DEPENDENCIES.forEach((room, beneath) -> classes()
                .that()
                .resideInAPackage(packagePattern(room))
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackage("habemus..")
                        .or(resideInAnyPackage(Stream.concat(Stream.of(room), beneath.stream())
                                .map(ArchitectureTest::packagePattern)
                                .toArray(String[]::new))))
                .because("an algorithm does not know who runs it, and a world does not know whom it runs")
                .allowEmptyShould(true)
                .check(core));
    }

    @ArchTest
    static final ArchRule no_rooms_need_each_other_in_a_circle = slices().matching("habemus.(*)..")
            .should()
            .beFreeOfCycles()
            .because("a reader needs a first page")
            .allowEmptyShould(true);

    private static String packagePattern(String room) {
        return "habemus." + room + "..";
    }
}

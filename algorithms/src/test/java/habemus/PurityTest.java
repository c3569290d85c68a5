package habemus;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Algorithms and the machines of the lock service are pure functions. */
@AnalyzeClasses(packages = "habemus", importOptions = DoNotIncludeTests.class)
class PurityTest {

    private static final String[] MACHINES = {
        "habemus.mutex..",
        "habemus.election..",
        "habemus.detector..",
        "habemus.raft..",
        "habemus.threads..",
        "habemus.lockservice",
        "habemus.lockservice.table..",
        "habemus.lockservice.protocol.."
    };

    /** Values, and collections with an order: iterating over them is the same in every run. */
    private static final String VALUE_TYPES = "java\\.time\\.Duration|java\\.util\\.function\\..*"
            + "|java\\.util\\.(Optional(Int|Long)?|Objects|Comparator|Iterator|NoSuchElementException)"
            + "|java\\.util\\.(Arrays|Collections?|(Array|Abstract)?(List|Deque)|Map\\$Entry)"
            + "|java\\.util\\.Sequenced(Collection|Set|Map)"
            + "|java\\.util\\.(Sorted|Navigable|Tree)(Set|Map)"
            + "|java\\.util\\.stream\\.(Int|Long)?Stream";

    private static final String IMPURE_TYPES = "java\\.lang\\.(System|Runtime|Process.*|Thread.*|.*ThreadLocal)"
            + "|java\\.time\\.(Clock|Instant)|java\\.util\\.(.*Random|UUID|(Linked)?Hash(Map|Set)|Map|Set)"
            + "|java\\.util\\.(concurrent|random)\\..*|java\\.util\\.stream\\.Collectors|java\\.n?io\\..*";

    @ArchTest
    static final ArchRule a_machine_depends_on_the_contract_and_values_only = classes()
            .that()
            .resideInAnyPackage(MACHINES)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("java.lang", "org.jspecify.annotations", "habemus..")
                    .or(nameMatching(VALUE_TYPES)))
            .because("a step is a pure function of what the contract passes in");

    @ArchTest
    static final ArchRule a_machine_uses_no_clock_thread_random_number_file_or_unordered_collection = noClasses()
            .that()
            .resideInAnyPackage(MACHINES)
            .should()
            .dependOnClassesThat(nameMatching(IMPURE_TYPES))
            .orShould()
            .callMethod(Math.class, "random")
            .because("equal state and equal event give an equal step, in every world and in every JVM"
                    + " (iterate over a sorted map by its sequencedEntrySet)");

    @ArchTest
    static final ArchRule a_machine_has_no_mutable_field = fields().that()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(MACHINES)
            .and()
            .areDeclaredInClassesThat(
                    describe("outlive a step", type -> !type.getSimpleName().equals("CommandApplier")))
            .should()
            .beFinal()
            .because("all that changes is in the state, which the worlds keep, copy and compare");

    @ArchTest
    static final ArchRule states_and_messages_hold_no_arrays = fields().that()
            .areDeclaredInClassesThat()
            .resideInAnyPackage(MACHINES)
            .and()
            .areNotStatic()
            .should()
            .notHaveRawType(describe("an array", JavaClass::isArray))
            .because("an array equals only itself, and equal states must be one state to the checker");
}

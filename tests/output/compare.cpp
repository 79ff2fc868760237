#include "io/output/compare.hpp"

#include "io/output/maxima.hpp"
#include "tests/catch.hpp"
#include "tests/output/support.hpp"

using namespace swe;
using namespace swe::io;
using namespace swe::test;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

void write_depth(std::filesystem::path const& path, std::vector<double> const& depth) {
  write_maxima(path, {{2, 2, 1, 1, 0, 0}, "t", ""}, {0, 0, 0, missing}, {{"depth", depth}}, 0);
}

FieldDifference field(Comparison const& comparison, std::string const& name) {
  for (auto const& f : comparison.fields)
    if (f.field == name) return f;
  throw std::runtime_error("no field " + name);
}

}  // namespace

TEST_CASE("equal_files_are_equal_to_the_bit") {
  TemporaryFolder const folder;
  write_depth(folder.path() / "a.nc", {1, 2, 3, missing});
  write_depth(folder.path() / "b.nc", {1, 2, 3, missing});
  auto const comparison = compare_results(folder.path() / "a.nc", folder.path() / "b.nc", {});
  CHECK(comparison.failures.empty());
  CHECK(field(comparison, "depth").values == 3);
  CHECK(field(comparison, "depth").nse == 1);
}

TEST_CASE("norms_of_a_known_difference") {
  TemporaryFolder const folder;
  write_depth(folder.path() / "a.nc", {1, 2, 7, missing});
  write_depth(folder.path() / "b.nc", {1, 2, 3, missing});
  auto const d = field(compare_results(folder.path() / "a.nc", folder.path() / "b.nc", {}), "depth");
  CHECK(d.different == 1);
  CHECK(d.l1 == Approx(4.0 / 3));
  CHECK(d.l2 == Approx(4 / std::sqrt(3.0)));
  CHECK(d.linf == 4);
  CHECK(d.rmse == Approx(4 / std::sqrt(3.0)));
  CHECK(d.nse == Approx(1 - 16.0 / 2));
  CHECK_FALSE(d.within);
}

TEST_CASE("last_bit_counts_unless_a_tolerance_allows_it") {
  TemporaryFolder const folder;
  write_depth(folder.path() / "a.nc", {1, 2, std::nextafter(3, 4), missing});
  write_depth(folder.path() / "b.nc", {1, 2, 3, missing});
  auto const a = folder.path() / "a.nc", b = folder.path() / "b.nc";
  CHECK(compare_results(a, b, {}).failures.size() == 1);
  CHECK(compare_results(a, b, parse_tolerances("depth:linf=1e-15")).failures.empty());
  CHECK(compare_results(a, b, parse_tolerances("linf=1e-15, depth:nse=0.99")).failures.empty());
  CHECK(compare_results(a, b, parse_tolerances("depth:linf=1e-16")).failures.size() == 1);
  CHECK_THROWS_AS(compare_results(a, b, parse_tolerances("dpeth:linf=1")), InputError);
}

TEST_CASE("value_that_is_missing_on_one_side_is_never_within_tolerance") {
  TemporaryFolder const folder;
  write_depth(folder.path() / "a.nc", {1, missing, 3, missing});
  write_depth(folder.path() / "b.nc", {1, 2, 3, missing});
  CHECK(compare_results(folder.path() / "a.nc", folder.path() / "b.nc", parse_tolerances("depth:l1=1e9"))
            .failures.size() == 1);
}

TEST_CASE("tables_are_interpolated_only_with_a_tolerance") {
  TemporaryFolder const folder;
  auto const a = folder.path() / "a.csv", b = folder.path() / "b.csv";
  std::ofstream(a) << "time_s,\"p, q\",r\n0,0,1\n1,10,1\n2,20,1\n";
  std::ofstream(b) << "time_s,\"p, q\"\n0.5,5\n1.25,12\n1.5,\n";
  CHECK_FALSE(compare_results(a, b, {}).failures.empty());
  auto const d = field(compare_results(a, b, parse_tolerances("linf=0.5")), "p, q");
  CHECK(d.values == 2);
  CHECK(d.linf == Approx(0.5));
  CHECK(d.within);
  std::ofstream(b) << "time_s,\"p, q\"\n5,5\n";  // beyond the result: cannot pass
  CHECK_FALSE(compare_results(a, b, parse_tolerances("linf=1e9")).failures.empty());
}

TEST_CASE("tolerances_that_make_no_sense_are_all_named") {
  try {
    (void)parse_tolerances("h:l3=1,hu,hv:l1=x,level:l2=-1");
    FAIL("nothing was thrown");
  } catch (InputError const& error) {
    CHECK(error.problems().size() == 4);
  }
}

#include <rattleback/proof/jacobi_certificate.hpp>

#include <rattleback/algebra/exact.hpp>
#include <rattleback/proof/within_reason.hpp>

namespace rattleback {
namespace {

Data row_of(std::vector<Expr> es, std::vector<Expr>& noted) {
  for (Expr& e : es) e = short_form(e);
  noted.insert(noted.end(), es.begin(), es.end());
  return texts(es);
}

Data claimed_on(const BracketClaim& claim, std::vector<Expr>& noted) {
  Data d;
  d["group"] = claim.group;
  Data::List orbits, covectors;
  for (const VectorField& xi : claim.bracket->orbits) orbits.push_back(row_of(xi.coefficients(), noted));
  for (int a = 0; a < claim.bracket->dimension(); ++a)
    covectors.push_back(row_of(claim.bracket->covectors.column(a).entries(), noted));
  d["orbits"] = orbits;
  d["covectors"] = covectors;
  return d;
}

void add_claim(const BracketClaim& claim, Data& d, std::vector<Expr>& noted) {
  d["holds"] = claim.holds;
  d["casimirs"] = row_of(claim.casimirs, noted);
  if (!claim.factor) return;
  d["factor"] = *claim.factor;
  noted.push_back(*claim.factor);
}

}  // namespace

Data jacobi_certificate(const System& system, const ConstrainedBracket& b,
                        const std::vector<BracketClaim>& claims) {
  return within_reason([&] {
    std::vector<Expr> noted(b.momenta.begin(), b.momenta.end());
    Data own;
    Data::List reductions, names;
    const Data speeds = row_of(b.speeds, noted);
    for (const BracketClaim& claim : claims) {
      if (claim.group.empty()) {
        add_claim(claim, own, noted);
        continue;
      }
      Data d = claimed_on(claim, noted);
      add_claim(claim, d, noted);
      reductions.push_back(std::move(d));
    }
    Data d = certified_constraints(system, b.D.speeds, b.D.substitution(), noted);
    if (d.is_null()) return d;
    d["certificate"] = "jacobi";
    for (const Symbol p : b.momenta) names.emplace_back(p.name());
    d["momentum_names"] = names;
    d["speeds_by_momenta"] = speeds;
    for (const char* key : {"holds", "casimirs"}) {
      if (own.find(key) != nullptr) d[key] = *own.find(key);
    }
    d["reductions"] = reductions;
    return d;
  });
}

}  // namespace rattleback
